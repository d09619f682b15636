import { useRouteLoaderData } from "react-router";

/** The id of web analytics; null where none is configured. */
export const useMeasurementId = (): string | null =>
  useRouteLoaderData<{ measurementId?: string | null }>("root")?.measurementId ?? null;

const BUTTON =
  "inline-flex min-h-11 flex-1 items-center justify-center rounded-full border border-edge bg-card px-5 font-semibold text-ink aria-pressed:border-leaf aria-pressed:bg-signal-soft sm:flex-none";

/** Two equal answers. Without JavaScript nothing is measured either way; the choice is saved. */
export function MeasurementForm({ to }: { to: string }) {
  return (
    <form
      method="post"
      action="/resources/measurement"
      data-measurement=""
      className="flex gap-2"
      suppressHydrationWarning
    >
      <input type="hidden" name="to" value={to} />
      <button type="submit" name="choice" value="no" className={BUTTON} suppressHydrationWarning>
        Recusar
      </button>
      <button type="submit" name="choice" value="yes" className={BUTTON} suppressHydrationWarning>
        Aceitar
      </button>
    </form>
  );
}

/** Asks once whether visits may be measured. Hidden until public/measurement.js sees no choice. */
export function MeasurementNotice({ id }: { id: string }) {
  return (
    <>
      <section
        hidden
        data-measurement-notice=""
        aria-label="Medição de visitas"
        suppressHydrationWarning
        className="fixed inset-x-3 bottom-20 z-40 mx-auto max-w-xl rounded-card border border-line bg-card p-4 shadow-float lg:bottom-4 print:hidden"
      >
        <div className="flex flex-col gap-3">
          <p className="text-small">
            Podemos medir a sua visita com uma ferramenta do Google, que usa cookies? Sem a sua
            resposta, nada é medido. Você muda a escolha em{" "}
            <a href="/terms/cookies#medicao" className="underline underline-offset-4">
              Cookies
            </a>
            .
          </p>
          <MeasurementForm to="/" />
        </div>
      </section>
      <script src="/measurement.js" data-id={id} defer />
    </>
  );
}
