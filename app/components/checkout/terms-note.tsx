/**
 * What whoever has an account agrees to by paying; a guest ticks it. The documents open beside the
 * form, so that nothing typed is lost.
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
