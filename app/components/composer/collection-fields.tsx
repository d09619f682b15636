import { Link } from "react-router";
import { Choices } from "#app/components/ui/fields/choice.tsx";
import type { FieldsProps } from "./access-fields.tsx";
import { Part } from "./part.tsx";

/** Collections of the page, of which any number may be chosen; collapsed while none is. */
export function CollectionFields({
  collections,
  values,
  errors,
}: FieldsProps & { collections: { id: string; title: string }[] }) {
  const chosen = (values["collectionIds"] ?? "")
    .split("\n")
    .filter((id) => collections.some((collection) => collection.id === id));
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
    <Part
      title="Coleções"
      summary={chosen.length === 0 ? undefined : String(chosen.length)}
      isOpen={chosen.length > 0 || errors["collectionIds"] !== undefined}
    >
      <Choices
        legend="Em quais coleções ela fica"
        name="collectionIds"
        type="checkbox"
        hint="Entra no fim de cada uma. A ordem se muda na coleção."
        defaultValue={chosen}
        error={errors["collectionIds"]}
        options={collections.map(({ id, title }) => ({ value: id, label: title }))}
      />
    </Part>
  );
}
