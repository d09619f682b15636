import { Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "#app/components/ui/button.tsx";
import { TextField } from "#app/components/ui/fields/field.tsx";
import { LINK_TITLE_MAX, LINK_URL_MAX, LINKS_MAX } from "#app/domain/profiles/rules/links.ts";
import type { ProfileLink } from "#app/domain/profiles/rules/links.ts";

type Problem = { errors: Record<string, string>; values: Record<string, string> } | undefined;

/** Rows of links, with an empty one to fill. Without JavaScript, saving adds the next empty row. */
export function LinkFields({ links, problem }: { links: ProfileLink[]; problem: Problem }) {
  const shown = problem ? typedRows(problem.values) : links;
  const [rows, setRows] = useState(() => Math.min(LINKS_MAX, shown.length + 1));
  const error = problem?.errors.links;
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="pb-1.5 text-small font-semibold">
        Links <span className="font-normal text-muted">(opcional)</span>
      </legend>
      <p className="text-small text-muted">
        Até {LINKS_MAX}: seu site, suas redes, um e-mail de contato. Apague o endereço para tirar um
        link.
      </p>
      {Array.from({ length: Math.max(rows, Math.min(LINKS_MAX, shown.length)) }, (_, row) => (
        <div key={row} className="grid gap-3 sm:grid-cols-[2fr_3fr]">
          <TextField
            label={`Nome do link ${row + 1}`}
            name="linkTitles"
            defaultValue={shown[row]?.title}
            limit={LINK_TITLE_MAX}
            placeholder="Meu site"
            autoComplete="off"
          />
          <TextField
            label={`Endereço do link ${row + 1}`}
            name="linkUrls"
            defaultValue={shown[row]?.url}
            limit={LINK_URL_MAX}
            placeholder="exemplo.com.br"
            inputMode="url"
            autoComplete="off"
            error={problem?.errors[`link-${row}`]}
          />
        </div>
      ))}
      {error ? <p className="text-small font-medium text-refusal">{error}</p> : null}
      {rows < LINKS_MAX ? (
        <Button
          type="button"
          variant="outline"
          size="sm"
          className="self-start noscript:hidden"
          onClick={() => setRows(rows + 1)}
        >
          <Plus aria-hidden="true" className="size-4" />
          Mais um link
        </Button>
      ) : null}
    </fieldset>
  );
}

/** Typed rows, one line each. */
function typedRows(values: Record<string, string>): ProfileLink[] {
  const titles = (values.linkTitles ?? "").split("\n");
  const urls = (values.linkUrls ?? "").split("\n");
  return titles.map((title, row) => ({ title, url: urls[row] ?? "" }));
}
