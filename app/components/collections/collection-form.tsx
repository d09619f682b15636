import { useNavigation } from "react-router";
import { SalePriceField } from "#app/components/plan-form/sale-price-field.tsx";
import { CoverFields } from "#app/components/media/cover-fields.tsx";
import { SpaceForm } from "#app/components/shell/space-form.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { TextArea, TextField } from "#app/components/ui/fields/field.tsx";
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
  const values = { ...initial, ...problem?.values };
  const errors = problem?.errors ?? {};
  return (
    <SpaceForm problem={problem} encType="multipart/form-data">
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
    </SpaceForm>
  );
}

type FieldsProps = { values: Record<string, string>; errors: Record<string, string> };

function PriceField({
  values,
  errors,
  mayPrice,
  feeBasisPoints,
}: FieldsProps & Pick<CollectionFormProps, "mayPrice" | "feeBasisPoints">) {
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
    <SalePriceField
      label="Preço da coleção"
      placeholder="29,90"
      hint="Em branco, não é vendida. Com preço, quem compra paga uma vez e vê tudo o que está dentro, além de quem já tem acesso."
      initial={values["price"] ?? ""}
      error={errors["price"]}
      feeBasisPoints={feeBasisPoints}
    />
  );
}
