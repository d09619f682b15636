import { CheckboxField } from "#app/components/ui/fields/field.tsx";

/** Check box that saves the card of a one-time purchase. */
export function SaveCardField({ savesCard }: { savesCard: boolean }) {
  return (
    <CheckboxField
      label="Guardar este cartão para as minhas próximas compras"
      name="keep"
      defaultChecked={savesCard}
      hint="Fica com quem processa o pagamento. Você o tira quando quiser, em Ajustes, Pagamentos."
    />
  );
}
