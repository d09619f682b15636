import { useRef } from "react";
import { Form, useNavigation } from "react-router";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { useHydrated } from "#app/components/shell/browser/use-hydrated.ts";
import { Button } from "#app/components/ui/button.tsx";
import { SelectField, TextField } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import type { ImportCandidate } from "#app/domain/collections/queries/studio.server.ts";
import { IMPORT_MAX } from "#app/domain/collections/rules/limits.ts";
import type { ImportKind } from "#app/domain/collections/schema.ts";
import { formatDay } from "#app/domain/time.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";

const KIND_TEXTS: Record<ImportKind, string> = {
  text: "Só texto",
  image: "Imagem",
  video: "Vídeo",
  audio: "Áudio",
  document: "PDF",
};

const FILTERS = ["kind", "state", "from", "to"];

/** Search form as a GET form. */
export function ImportFilters({ asked }: { asked: Record<string, string> }) {
  const isFiltered = FILTERS.some((name) => asked[name] && asked[name] !== "published");
  return (
    <Form
      method="get"
      role="search"
      aria-label="Procurar publicações"
      className="flex flex-col gap-4"
    >
      <TextField
        type="search"
        label="Procurar no título e na chamada"
        name="q"
        defaultValue={asked["q"]}
        maxLength={100}
      />
      <details open={isFiltered} className="rounded-field border border-line px-4">
        <summary className="flex min-h-12 items-center font-semibold">
          Tipo, situação e data
        </summary>
        <div className="grid grid-cols-2 gap-4 pb-4">
          <SelectField
            label="Tipo"
            name="kind"
            defaultValue={asked["kind"] ?? ""}
            options={[
              { value: "", label: "Todos" },
              ...Object.entries(KIND_TEXTS).map(([value, label]) => ({ value, label })),
            ]}
          />
          <SelectField
            label="Situação"
            name="state"
            defaultValue={asked["state"] ?? "published"}
            options={[
              { value: "published", label: "No ar" },
              { value: "unpublished", label: "Ainda não" },
            ]}
          />
          <TextField type="date" label="De" name="from" defaultValue={asked["from"]} />
          <TextField type="date" label="Até" name="to" defaultValue={asked["to"]} />
        </div>
      </details>
      <Button variant="outline" className="self-start">
        Procurar
      </Button>
    </Form>
  );
}

/** Search results to choose from, several at once. */
export function ImportChoices({
  posts,
  problem,
}: {
  posts: ImportCandidate[];
  problem: FormProblem | undefined;
}) {
  const isAwake = useHydrated();
  const isBusy = useNavigation().state !== "idle";
  const form = useRef<HTMLFormElement>(null);
  const chosen = (problem?.values["postIds"] ?? "").split("\n");
  const error = problem?.errors["postIds"];
  function choose(isChosen: boolean): void {
    for (const box of form.current?.querySelectorAll<HTMLInputElement>("input[name=postIds]") ?? [])
      box.checked = isChosen;
  }
  return (
    <Form ref={form} method="post" className="flex flex-col gap-4">
      <ActingField />
      <FormMessage message={problem?.message ?? error} />
      <fieldset className="flex min-w-0 flex-col gap-2">
        <legend className="mb-2 text-small text-muted">
          Entram no fim, da mais antiga para a mais nova. Até {IMPORT_MAX} de cada vez.
        </legend>
        {isAwake ? (
          <div className="flex flex-wrap gap-2 pb-1">
            <Button type="button" variant="outline" size="sm" onClick={() => choose(true)}>
              Marcar todas
            </Button>
            <Button type="button" variant="ghost" size="sm" onClick={() => choose(false)}>
              Desmarcar
            </Button>
          </div>
        ) : null}
        {posts.map((post) => (
          <label
            key={post.id}
            className="flex min-h-12 items-start gap-3 rounded-field border border-edge bg-card px-4 py-3 has-checked:border-leaf has-checked:bg-signal-soft has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-leaf"
          >
            <input
              type="checkbox"
              name="postIds"
              value={post.id}
              defaultChecked={chosen.includes(post.id)}
              className="mt-0.5 size-5 shrink-0 accent-leaf outline-none"
            />
            <span className="flex min-w-0 flex-col">
              <span className="font-semibold wrap-anywhere">{post.title || "Sem título"}</span>
              <span className="text-small text-muted">
                {formatDay(post.at)} · {KIND_TEXTS[post.kind]}
                {post.state === "draft"
                  ? " · rascunho"
                  : post.state === "scheduled"
                    ? " · agendada"
                    : ""}
              </span>
            </span>
          </label>
        ))}
      </fieldset>
      <Button size="lg" disabled={isBusy} className="self-start">
        Adicionar à coleção
      </Button>
    </Form>
  );
}
