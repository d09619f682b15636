const LINK = "inline-flex min-h-11 items-center font-semibold text-leaf hover:underline";

/** "Adicionar à agenda": a file for any program, and links for Google and Outlook. */
export function AddToCalendar({
  fileUrl,
  googleUrl,
  outlookUrl,
  isPublic = false,
}: {
  fileUrl: string;
  googleUrl: string;
  outlookUrl: string;
  /** On the page for visitors there is no calendar of one's own to subscribe to. */
  isPublic?: boolean;
}) {
  return (
    <details className="rounded-card border border-line bg-card px-5">
      <summary className="flex min-h-12 items-center font-semibold">Adicionar à agenda</summary>
      <ul className="flex flex-col pb-4">
        <li>
          <a href={fileUrl} download className={LINK}>
            Baixar o arquivo .ics
          </a>
        </li>
        <li>
          <a href={googleUrl} target="_blank" rel="noreferrer" className={LINK}>
            Google Agenda (abre em outra aba)
          </a>
        </li>
        <li>
          <a href={outlookUrl} target="_blank" rel="noreferrer" className={LINK}>
            Outlook (abre em outra aba)
          </a>
        </li>
        {isPublic ? null : (
          <li>
            <a href="/events/calendar" className={LINK}>
              Assinar todos os meus eventos
            </a>
          </li>
        )}
      </ul>
    </details>
  );
}
