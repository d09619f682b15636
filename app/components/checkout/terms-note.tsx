/**
 * Terms that a signed-in payer accepts by paying; a guest ticks a box instead. The documents open
 * in another tab, so that typed text stays.
 */
export function TermsNote({ isFree = false }: { /** Nothing is paid today. */ isFree?: boolean }) {
  return (
    <p className="text-small text-muted">
      {isFree ? "Ao começar" : "Ao pagar"}, você aceita os{" "}
      <a href="/terms" target="_blank" rel="noreferrer" className="underline underline-offset-2">
        termos de uso
      </a>{" "}
      e a{" "}
      <a
        href="/terms#refunds"
        target="_blank"
        rel="noreferrer"
        className="underline underline-offset-2"
      >
        política de reembolso
      </a>
      .
    </p>
  );
}
