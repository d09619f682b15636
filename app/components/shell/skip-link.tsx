/** Skip link, the first tab stop of a page. */
export function SkipLink() {
  return (
    <a
      href="#conteudo"
      className="sr-only rounded-full bg-ink font-semibold text-paper focus:not-sr-only focus:fixed focus:top-3 focus:left-3 focus:z-50 focus:px-5 focus:py-3"
    >
      Ir para o conteúdo
    </a>
  );
}
