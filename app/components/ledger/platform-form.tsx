import { Form, useNavigation } from "react-router";
import { providerLabel } from "./provider-label.ts";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { SelectField, TextField } from "#app/components/ui/fields/field.tsx";

const TEXTS = {
  in: {
    title: "Anotar dinheiro que a plataforma colocou",
    lead: "Para que os saques possam sair. Anote depois que o dinheiro entrar na conta do provedor.",
    day: "Dia em que entrou",
    hint: "Um engano não se apaga: peça uma retirada do mesmo valor.",
    button: "Anotar entrada",
  },
  out: {
    title: "Pedir uma retirada",
    lead: "Só do que é da plataforma. Outra pessoa da moderação aprova, e só depois disso o dinheiro pode sair do provedor.",
    day: "Dia em que sai",
    hint: "Um engano aprovado não se apaga: coloque o mesmo valor de volta.",
    button: "Pedir retirada",
  },
} as const;

type Props = {
  way: "in" | "out";
  id: string;
  today: string;
  providers: string[];
  problem: { errors: Record<string, string>; values: Record<string, string> } | null;
};

/** Form for a platform deposit or withdrawal at a provider. */
export function PlatformForm({ way, id, today, providers, problem }: Props) {
  const isBusy = useNavigation().state !== "idle";
  const texts = TEXTS[way];
  return (
    <Card className="p-5 sm:p-6">
      <Form
        method="post"
        className="flex flex-col gap-5"
        noValidate
        aria-labelledby={`title-${way}`}
      >
        <div className="flex flex-col gap-1">
          <h2 id={`title-${way}`} className="text-heading">
            {texts.title}
          </h2>
          <p className="text-muted">{texts.lead}</p>
        </div>
        <input type="hidden" name="act" value={way} />
        <input type="hidden" name="id" value={id} />
        <SelectField
          label="Provedor"
          name="provider"
          options={providers.map((name) => ({ value: name, label: providerLabel(name) }))}
          defaultValue={problem?.values.provider ?? providers[0]}
          error={problem?.errors.provider}
        />
        <TextField
          label="Valor"
          name="amount"
          inputMode="decimal"
          autoComplete="off"
          prefix="R$"
          maxLength={20}
          required
          defaultValue={problem?.values.amount}
          error={problem?.errors.amount}
        />
        <TextField
          label={texts.day}
          name="movedOn"
          type="date"
          required
          defaultValue={problem?.values.movedOn ?? today}
          error={problem?.errors.movedOn}
        />
        <TextField
          label="Como, ou o número da transferência"
          name="note"
          autoComplete="off"
          limit={200}
          required
          defaultValue={problem?.values.note}
          error={problem?.errors.note}
          hint={texts.hint}
        />
        <Button
          className="self-start"
          variant={way === "in" ? "outline" : undefined}
          disabled={isBusy}
        >
          {texts.button}
        </Button>
      </Form>
    </Card>
  );
}
