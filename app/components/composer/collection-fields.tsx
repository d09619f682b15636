import { Link } from "react-router";
import { Choices } from "#app/components/ui/choice.tsx";
import type { FieldsProps } from "./access-fields.tsx";

/** Collections of the page, of which any number may be chosen; collapsed while none is. */
export function CollectionFields({
  collections,
  values,
  errors,
}: FieldsProps & { collections: { id: string; title: string }[] }) {
  const chosen = (values["collectionIds"] ?? "")
    .split("\n")
    .filter((id) => collections.some((collection) => collection.id === id));
  const words = chosen.length === 0 ? "Coleções" : `Coleções (${chosen.length})`;
  if (collections.length === 0) {
    return (
      <p className="text-small text-muted">
        Publicações que se seguem podem ficar juntas:{" "}
        <Link to="/collection/create" className="font-semibold text-leaf hover:underline">
          crie uma coleção
        </Link>
        .
      </p>
    );
  }
  return (
    <details
      open={chosen.length > 0 || errors["collectionIds"] !== undefined}
      className="rounded-field border border-line px-4"
    >
      <summary className="flex min-h-12 items-center font-semibold">{words}</summary>
      <Choices
        className="pb-4"
        legend="Em quais coleções ela fica"
        name="collectionIds"
        type="checkbox"
        hint="Entra no fim de cada uma. A ordem se muda na coleção."
        defaultValue={chosen}
        error={errors["collectionIds"]}
        options={collections.map(({ id, title }) => ({ value: id, label: title }))}
      />
    </details>
  );
}
