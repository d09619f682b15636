import { TextArea, TextField } from "#app/components/ui/fields/field.tsx";
import { GIFT_MESSAGE_MAX, GIFT_NAME_MAX } from "#app/domain/purchases/gifts/schema.ts";

type GiftFieldsProps = {
  planPriceId: string;
  creatorName: string;
  values: Record<string, string>;
  errors: Record<string, string>;
};

/**
 * Recipient and message of a gift. All fields are optional: the giver may hand over the link
 * instead.
 */
export function GiftFields({ planPriceId, creatorName, values, errors }: GiftFieldsProps) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-5">
      <legend className="mb-3 text-small font-semibold">Para quem</legend>
      <input type="hidden" name="planPriceId" value={planPriceId} />
      <TextField
        label="Nome de quem recebe"
        name="recipientName"
        required={false}
        limit={GIFT_NAME_MAX}
        autoComplete="off"
        defaultValue={values.recipientName}
        error={errors.recipientName}
      />
      <TextField
        label="E-mail de quem recebe"
        name="recipientEmail"
        type="email"
        inputMode="email"
        required={false}
        maxLength={254}
        autoComplete="off"
        defaultValue={values.recipientEmail}
        error={errors.recipientEmail}
        hint="Mandamos o presente por você. Em branco, você recebe o endereço para passar a quem quiser."
      />
      <TextField
        label="Entregar no dia"
        name="deliverOn"
        type="date"
        required={false}
        defaultValue={values.deliverOn}
        error={errors.deliverOn}
        hint="Em branco, assim que for pago."
      />
      <TextArea
        label="Mensagem"
        name="message"
        rows={3}
        required={false}
        limit={GIFT_MESSAGE_MAX}
        defaultValue={values.message}
        error={errors.message}
        hint={`Só quem recebe lê, nem ${creatorName} vê. Até ${GIFT_MESSAGE_MAX} letras.`}
      />
    </fieldset>
  );
}
