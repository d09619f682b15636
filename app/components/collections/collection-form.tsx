import { useState } from "react";
import { useNavigation } from "react-router";
import { singlePriceNetText } from "#app/components/plan-form/price-net.ts";
import { CoverFields } from "#app/components/media/cover-fields.tsx";
import { ActingField } from "#app/components/shell/acting-field.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { TextArea, TextField } from "#app/components/ui/field.tsx";
import { FormMessage } from "#app/components/ui/form-message.tsx";
import { GuardedForm } from "#app/components/ui/guarded-form.tsx";
import { useFirstError } from "#app/components/ui/use-first-error.ts";
import {
  COLLECTION_DESCRIPTION_MAX,
  COLLECTION_TITLE_MAX,
} from "#app/domain/collections/schema.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";

type CollectionFormProps = {
  values: Record<string, string>;
  coverMediaId: string | null;
  /** False for team members who may write but not set prices. */
  mayPrice: boolean;
  feeBasisPoints: number;
  problem: FormProblem | undefined;
  submitLabel: string;
};

/** Form with a collection's title, description, cover and price. */
export function CollectionForm({
  values: initial,
  coverMediaId,
  mayPrice,
  feeBasisPoints,
  problem,
  submitLabel,
}: CollectionFormProps) {
  const isBusy = useNavigation().state !== "idle";
  useFirstError(problem);
  const values = { ...initial, ...problem?.values };
  const errors = problem?.errors ?? {};
  return (
    <GuardedForm
      method="post"
      encType="multipart/form-data"
      className="flex flex-col gap-5"
      noValidate
    >
      <ActingField />
      <FormMessage message={problem?.message} />
      <TextField
        label="Título"
        name="title"
        defaultValue={values["title"]}
        error={errors["title"]}
        limit={COLLECTION_TITLE_MAX}
        required
        placeholder="Aprender rabeca"
      />
      <TextArea
        label="Descrição"
        name="description"
        rows={4}
        defaultValue={values["description"]}
        error={errors["description"]}
        limit={COLLECTION_DESCRIPTION_MAX}
        required={false}
        hint="O que está dentro e para quem é."
      />
      <CoverFields
        values={values}
        errors={errors}
        coverMediaId={coverMediaId}
        hint="Quem não tem acesso a nada de dentro vê só um borrão dela."
      />
      <PriceField
        values={values}
        errors={errors}
        mayPrice={mayPrice}
        feeBasisPoints={feeBasisPoints}
      />
      <Button size="lg" disabled={isBusy} className="self-start">
        {submitLabel}
      </Button>
    </GuardedForm>
  );
}

type FieldsProps = { values: Record<string, string>; errors: Record<string, string> };

function PriceField({
  values,
  errors,
  mayPrice,
  feeBasisPoints,
}: FieldsProps & Pick<CollectionFormProps, "mayPrice" | "feeBasisPoints">) {
  const [price, setPrice] = useState(values["price"] ?? "");
  const isRefused = errors["price"] !== undefined && price === values["price"];
  const netText = isRefused ? null : singlePriceNetText(price, feeBasisPoints);
  if (!mayPrice) {
    return (
      <>
        <input type="hidden" name="price" value={values["price"] ?? ""} />
        <p className="text-small text-muted">
          {values["price"] ? `Vendida por R$ ${values["price"]}.` : "Não é vendida em separado."}{" "}
          Quem administra a página é quem muda o preço.
        </p>
      </>
    );
  }
  return (
    <div className="flex flex-col gap-2">
      <TextField
        label="Preço da coleção"
        name="price"
        prefix="R$"
        inputMode="decimal"
        autoComplete="off"
        placeholder="29,90"
        defaultValue={values["price"]}
        error={errors["price"]}
        required={false}
        aria-describedby="collection-price-return"
        onInput={(event) => setPrice(event.currentTarget.value)}
        hint="Em branco, não é vendida. Com preço, quem compra paga uma vez e vê tudo o que está dentro, além de quem já tem acesso."
      />
      <p
        id="collection-price-return"
        role="status"
        className={`text-small empty:hidden ${netText?.isProblem ? "font-medium text-attention" : "text-muted"}`}
      >
        {netText?.text}
      </p>
    </div>
  );
}
