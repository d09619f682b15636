import { Form } from "react-router";
import type { ReactNode } from "react";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import type { PostState } from "#app/domain/posts/rules/composing.ts";
import { counted } from "#app/domain/text.ts";
import { formatMinute } from "#app/domain/time.ts";
import type { ComposerValues } from "./values.ts";
import { waysText } from "./way-labels.ts";

/** The version that another composer stored. */
export type OtherVersion = {
  /** The draft that the version becomes that is not chosen. */
  copyId: string;
  state: PostState;
  savedAt: number;
  values: ComposerValues;
};

type ChoiceProps = {
  message: string | null;
  typed: ComposerValues;
  other: OtherVersion;
  onChosen: () => void;
};

/** Two versions of a post side by side, each with its button. The other one becomes a draft. */
export function VersionChoice({ message, typed, other, onChosen }: ChoiceProps) {
  const path = `/post/${typed["postId"] ?? ""}/versions`;
  return (
    <section aria-label="Duas versões" className="flex flex-col gap-4">
      <FormMessage message={message} />
      <p className="text-muted">
        Diferente: {differences(typed, other.values)}. A versão que você não escolher fica guardada
        nos seus rascunhos.
      </p>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Version title="A desta aba" values={typed}>
          <ChoiceForm
            action={`${path}/typed`}
            typed={typed}
            copyId={other.copyId}
            label="Ficar com a desta aba"
            onChosen={onChosen}
          />
        </Version>
        <Version
          title={`A salva em ${formatMinute(other.savedAt)}${other.state === "published" ? ", já no ar" : ""}`}
          values={other.values}
        >
          <ChoiceForm
            action={`${path}/stored`}
            typed={typed}
            copyId={other.copyId}
            label="Ficar com a salva"
            onChosen={onChosen}
          />
        </Version>
      </div>
    </section>
  );
}

const PARTS: [name: string, fields: string[]][] = [
  ["título", ["title"]],
  ["texto", ["content"]],
  ["chamada", ["teaser"]],
  ["quem pode ver", ["ways", "planIds", "price"]],
  ["arquivos", ["mediaIds"]],
  ["enquete", ["pollQuestion", "pollOptions"]],
  ["data", ["publishAt"]],
  ["envio por e-mail", ["mailTo"]],
];

function differences(one: ComposerValues, other: ComposerValues): string {
  const clean = (value = "") => value.replaceAll("\r\n", "\n").trim();
  const names = PARTS.filter(([, fields]) =>
    fields.some((field) => clean(one[field]) !== clean(other[field])),
  ).map(([name]) => name);
  return names.length === 0 ? "nada do que se lê" : new Intl.ListFormat("pt-BR").format(names);
}

function Version({
  title,
  values,
  children,
}: {
  title: string;
  values: ComposerValues;
  children: ReactNode;
}) {
  const files = (values["mediaIds"] ?? "").split("\n").filter(Boolean).length;
  return (
    <Card as="article" label={title} className="flex min-w-0 flex-col gap-3 p-5 sm:p-6">
      <h2 className="text-small font-semibold text-muted">{title}</h2>
      <p dir="auto" className="font-display text-heading font-bold wrap-anywhere">
        {values["title"] || "Sem título"}
      </p>
      {values["teaser"] ? <p className="text-muted wrap-anywhere">{values["teaser"]}</p> : null}
      <p
        dir="auto"
        tabIndex={0}
        role="region"
        aria-label={`Texto: ${title}`}
        className="max-h-[50vh] overflow-y-auto wrap-anywhere whitespace-pre-line"
      >
        {values["content"] || "Sem texto"}
      </p>
      <p className="text-small text-muted">
        {waysText((values["ways"] ?? "").split("\n"))}
        {files > 0 ? ` · ${counted(files, "arquivo", "arquivos")}` : ""}
      </p>
      {children}
    </Card>
  );
}

/** Fields that a form repeats: `ComposerValues` holds one value per line. */
const REPEATED = new Set([
  "ways",
  "planIds",
  "collectionIds",
  "mediaIds",
  "mediaAlts",
  "pollOptions",
]);

function ChoiceForm({
  action,
  typed,
  copyId,
  label,
  onChosen,
}: {
  action: string;
  typed: ComposerValues;
  copyId: string;
  label: string;
  onChosen: () => void;
}) {
  const fields = Object.entries(typed).flatMap(([name, value]) =>
    (REPEATED.has(name) ? value.split("\n") : [value]).map((one) => ({ name, value: one })),
  );
  return (
    <Form method="post" action={action} onSubmit={onChosen}>
      {typed["space"] === undefined ? <ActingField /> : null}
      <input type="hidden" name="copyId" value={copyId} />
      {fields.map(({ name, value }, index) => (
        <input key={`${name} ${index}`} type="hidden" name={name} value={value} />
      ))}
      <Button size="lg" variant="outline" className="w-full">
        {label}
      </Button>
    </Form>
  );
}
