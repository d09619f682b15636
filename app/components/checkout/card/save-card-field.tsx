import { CheckboxField } from "#app/components/ui/field.tsx";

/** Check box that saves the card of a one-time purchase. */
export function SaveCardField({ isKept }: { isKept: boolean }) {
  return (
    <CheckboxField
      label="Guardar este cartão para as minhas próximas compras"
      name="keep"
      defaultChecked={isKept}
      hint="Fica com quem processa o pagamento. Você o tira quando quiser, em Ajustes, Pagamentos."
    />
  );
}
