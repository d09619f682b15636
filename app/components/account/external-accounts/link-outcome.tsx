import type { LinkOutcome } from "#app/domain/identity/account/schema.ts";

type ShownOutcome = Exclude<LinkOutcome, "ready">;

const TEXTS: Record<ShownOutcome, { title: string; text: string }> = {
  verified: { title: "Tudo certo", text: "Este link já fez o que tinha de fazer." },
  expired: { title: "O link expirou", text: "Esta verificação expirou. Você deve criar uma nova." },
  failed: {
    title: "Este link não vale",
    text: "Ele foi trocado por um mais novo ou está incompleto. Peça outro.",
  },
  "client-mismatch": {
    title: "Abra no mesmo navegador",
    text: "Por segurança, o link só abre no navegador em que você o pediu. Volte a ele, ou digite lá o código do e-mail.",
  },
};

/** Result of an e-mail link that leads no further. */
export function LinkOutcomeText({ outcome }: { outcome: ShownOutcome }) {
  return (
    <>
      <h1 className="text-title">{TEXTS[outcome].title}</h1>
      <p className="mt-1 text-muted">{TEXTS[outcome].text}</p>
    </>
  );
}
