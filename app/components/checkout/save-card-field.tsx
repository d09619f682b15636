import { CheckboxField } from "#app/components/ui/field.tsx";

/** A card that is typed for what is paid once is kept only for who asks. */
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
