import { CheckboxField, FileField, TextField } from "#app/components/ui/fields/field.tsx";
import { mediaUrl } from "#app/domain/media/rules.ts";
import { ACCEPTED_IMAGES, ALT_MAX } from "#app/domain/media/rules/limits.ts";

type CoverFieldsProps = {
  values: Record<string, string>;
  errors: Record<string, string>;
  coverMediaId: string | null;
  /** A sentence of the page after the file types: who sees the cover. */
  hint?: string;
};

/** The cover of a form: the current one, another, its description, and its removal. */
export function CoverFields({ values, errors, coverMediaId, hint = "" }: CoverFieldsProps) {
  const again =
    Object.keys(errors).length > 0 ? " Escolha a imagem de novo: o navegador não a guarda." : "";
  return (
    <div className="flex flex-col gap-3">
      {coverMediaId === null ? null : (
        <img
          src={mediaUrl(coverMediaId, "640")}
          alt={values["coverAlt"] ?? ""}
          className="h-32 w-full rounded-field bg-sand object-cover"
        />
      )}
      <FileField
        label={coverMediaId === null ? "Capa" : "Outra capa"}
        name="cover"
        accept={ACCEPTED_IMAGES}
        error={errors["cover"]}
        required={false}
        hint={`JPG, PNG, GIF, WEBP ou AVIF, até 10 MB.${hint && ` ${hint}`}${again}`}
      />
      <TextField
        label="Descrição da capa para quem não vê"
        name="coverAlt"
        defaultValue={values["coverAlt"]}
        error={errors["coverAlt"]}
        required={false}
        limit={ALT_MAX}
        hint="O que aparece na imagem, em uma frase."
      />
      {coverMediaId === null ? null : (
        <CheckboxField
          label="Tirar a capa"
          name="removesCover"
          value="true"
          defaultChecked={values["removesCover"] === "true"}
        />
      )}
    </div>
  );
}
