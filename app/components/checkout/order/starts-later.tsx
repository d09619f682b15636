import { formatDay } from "#app/domain/time.ts";

/** Note that a comp still runs: the payment covers the time after it. */
export function StartsLater({
  beginsAt,
  endsAt,
  creatorName,
}: {
  beginsAt: number;
  endsAt: number;
  creatorName: string;
}) {
  const day = formatDay(beginsAt);
  return (
    <p role="note" className="rounded-field bg-sand px-4 py-3">
      O que você ganhou de {creatorName} vale até {day}. Esta assinatura{" "}
      <strong>começa em {day}</strong>, e o que você paga hoje vale até {formatDay(endsAt)}. Se
      mudar de ideia antes de começar, devolvemos tudo.
    </p>
  );
}
