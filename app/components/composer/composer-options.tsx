import { useState } from "react";
import type { FormEvent } from "react";
import { CheckboxField, TextField } from "#app/components/ui/fields/field.tsx";
import type { PostState } from "#app/domain/posts/rules/composing.ts";
import { TEASER_MAX } from "#app/domain/posts/schema.ts";
import { AccessFields } from "./access-fields.tsx";
import type { FieldsProps, SellingState } from "./access-fields.tsx";
import { CollectionFields } from "./collection-fields.tsx";
import { MailFields } from "./mail-fields.tsx";
import { Part } from "./part.tsx";
import { PollFields } from "./poll-fields.tsx";
import { waysText } from "./way-labels.ts";

type OptionsProps = FieldsProps & {
  state: PostState | "new";
  plans: { id: string; name: string; price: string }[];
  collections: { id: string; title: string }[];
  selling: SellingState;
  isPollFixed: boolean;
  onChanged: () => void;
  /** What the date of publishing is now, as typed. */
  publishAt: string;
  onPublishAt: (typed: string) => void;
};

/** Everything about a post but its text and files, folded. A part with an error is open. */
export function ComposerOptions(props: OptionsProps) {
  const { state, plans, collections, selling, values, errors } = props;
  return (
    <div className="flex flex-col gap-3">
      <Audience plans={plans} selling={selling} values={values} errors={errors} />
      <PollFields
        values={values}
        errors={errors}
        isFixed={props.isPollFixed}
        onChanged={props.onChanged}
      />
      <CollectionFields collections={collections} values={values} errors={errors} />
      {state === "published" ? null : (
        <Part
          title="Agendar"
          summary={props.publishAt ? "Com data" : "Sai agora"}
          isOpen={Boolean(values["publishAt"] || errors["publishAt"])}
        >
          <TextField
            type="datetime-local"
            label="Publicar em"
            name="publishAt"
            defaultValue={values["publishAt"]}
            onInput={(event) => props.onPublishAt(event.currentTarget.value)}
            error={errors["publishAt"]}
            required={false}
            hint="Em branco, sai agora. Com data, sai sozinha nessa hora, pelo horário de Brasília."
          />
        </Part>
      )}
      {state === "published" ? null : <MailFields values={values} errors={errors} />}
      <Part
        title="Chamada e aviso"
        isOpen={Boolean(values["teaser"] || errors["teaser"] || values["isSensitive"] === "true")}
      >
        <TextField
          label="Chamada"
          name="teaser"
          defaultValue={values["teaser"]}
          error={errors["teaser"]}
          required={false}
          limit={TEASER_MAX}
          hint="Todo mundo lê esta frase, também quem ainda não tem acesso."
        />
        <CheckboxField
          label="Conteúdo sensível"
          name="isSensitive"
          value="true"
          defaultChecked={values["isSensitive"] === "true"}
          hint="O que se vê fica coberto até a pessoa escolher ver."
        />
      </Part>
    </div>
  );
}

const ACCESS_FIELDS = [
  "ways",
  "planIds",
  "price",
  "publicOpensAt",
  "followersOpensAt",
  "subscribersOpensAt",
  "plansOpensAt",
  "priceOpensAt",
];

/** "Quem pode ver", which says what is chosen while it is folded. */
function Audience({
  plans,
  selling,
  values,
  errors,
}: Pick<OptionsProps, "plans" | "selling" | "values" | "errors">) {
  const [typed, setTyped] = useState<string[] | null>(null);
  const ways = typed ?? (values["ways"] ?? "").split("\n");
  const readWays = (event: FormEvent<HTMLDivElement>) => {
    const chosen = event.currentTarget.querySelectorAll<HTMLInputElement>(
      'input[name="ways"]:checked',
    );
    setTyped([...chosen].map(({ value }) => value));
  };
  return (
    <div onChange={readWays}>
      <Part
        title="Quem pode ver"
        summary={waysText(ways)}
        isOpen={ACCESS_FIELDS.some((field) => errors[field] !== undefined)}
      >
        <AccessFields plans={plans} selling={selling} errors={errors} values={values} />
      </Part>
    </div>
  );
}
