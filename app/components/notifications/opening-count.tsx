import { Card } from "#app/components/ui/card.tsx";
import { Choices } from "#app/components/ui/fields/choice.tsx";

type OpeningCountProps = {
  isCounted: boolean;
  typed: string | undefined;
  error: string | undefined;
};

/** Whether a hidden image counts that the member opened a post's email. */
export function OpeningCount({ isCounted, typed, error }: OpeningCountProps) {
  return (
    <div id="openings">
      <Card className="p-5 sm:p-6">
        <Choices
          legend="Contar quando você abre uma publicação por e-mail"
          name="openings"
          options={[
            {
              value: "counted",
              label: "Contar",
              hint: "Uma imagem invisível no e-mail conta que ele foi aberto.",
            },
            {
              value: "refused",
              label: "Não contar",
              hint: "O e-mail chega sem essa imagem.",
            },
          ]}
          defaultValue={typed ?? (isCounted ? "counted" : "refused")}
          error={error}
          hint="Quem publica vê só o total de pessoas, nunca quem abriu. Não guardamos a hora, o lugar nem o aparelho, e em 30 dias esquecemos quem foi. Um clique em um link do e-mail conta nos dois casos."
        />
      </Card>
    </div>
  );
}
