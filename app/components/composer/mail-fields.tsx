import { useState } from "react";
import { Choices } from "#app/components/ui/fields/choice.tsx";
import type { MailAudience } from "#app/domain/posts/schema.ts";
import type { FieldsProps } from "./access-fields.tsx";
import { Part } from "./part.tsx";

const OPTIONS: { value: MailAudience; label: string; hint?: string }[] = [
  { value: "nobody", label: "Só no Coreto" },
  {
    value: "readers",
    label: "No Coreto e por e-mail, para quem pode ler",
    hint: "Quem segue ou assina você e pode abrir a publicação recebe o texto inteiro.",
  },
  {
    value: "subscribers",
    label: "No Coreto e por e-mail, só para quem assina",
    hint: "Quem assina um plano que não abre a publicação recebe a chamada e o jeito de abrir.",
  },
  {
    value: "everyone",
    label: "No Coreto e por e-mail, para quem segue ou assina",
    hint: "Quem pode abrir recebe o texto inteiro. Os outros recebem a chamada e o jeito de abrir.",
  },
];

const SUMMARIES: Record<string, string> = {
  nobody: "Só no Coreto",
  readers: "E-mail para quem pode ler",
  subscribers: "E-mail para quem assina",
  everyone: "E-mail para quem segue ou assina",
};

/** Who gets the post by email when it is published. */
export function MailFields({ values, errors }: Pick<FieldsProps, "values" | "errors">) {
  const [typed, setTyped] = useState<string | null>(null);
  const chosen = typed ?? (values["mailTo"] || "nobody");
  return (
    <Part title="E-mail" summary={SUMMARIES[chosen]} isOpen={errors["mailTo"] !== undefined}>
      <Choices
        legend="Onde publicar"
        name="mailTo"
        options={OPTIONS}
        defaultValue={values["mailTo"] || "nobody"}
        error={errors["mailTo"]}
        hint="O e-mail sai uma vez só, quando a publicação entra no ar. Mudar o texto depois não muda o que já foi enviado."
        onValueChange={setTyped}
      />
    </Part>
  );
}
