import { Form } from "react-router";
import { Countdown } from "#app/components/checkout/countdown.tsx";
import { PixCode, QrCode } from "#app/components/checkout/pix-code.tsx";
import type { QrDrawing } from "#app/components/checkout/pix-code.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { formatMoney } from "#app/domain/money.ts";

type PixWaitingProps = {
  code: string;
  qr: QrDrawing;
  amountCents: number;
  leftMs: number;
  wholeMs: number;
  /** What the bank said when it was last asked by hand. */
  answer: string | null;
  isAsking: boolean;
  onEnd: () => void;
};

/** The code to pay and what to do with it. On a phone copying comes first and the QR is folded: nobody scans their own screen. */
export function PixWaiting({ code, qr, amountCents, leftMs, wholeMs, answer, isAsking, onEnd }: PixWaitingProps) {
  const amountWords = formatMoney(amountCents);
  return (
    <>
      <Card className="grid gap-6 p-5 sm:p-6 lg:grid-cols-[minmax(0,15rem)_minmax(0,1fr)] lg:items-center">
        <div className="hidden lg:block">
          <QrCode drawing={qr} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <Countdown leftMs={leftMs} wholeMs={wholeMs} onEnd={onEnd} />
          <PixCode code={code} amountWords={amountWords} />
          <details className="lg:hidden">
            <summary className="flex min-h-11 items-center font-semibold text-leaf underline underline-offset-4">Ver o QR code</summary>
            <div className="flex justify-center pt-3">
              <QrCode drawing={qr} />
            </div>
          </details>
        </div>
      </Card>
      <PixAsked answer={answer} isAsking={isAsking} />
      <ol className="flex list-decimal flex-col gap-1.5 pl-5 text-small text-muted">
        <li>Abra o app do seu banco e escolha Pix, depois QR code ou Copia e Cola.</li>
        <li>
          Confira o nome <strong>Coreto Pagamentos</strong> e o valor de <strong>{amountWords}</strong>.
        </li>
        <li>Confirme. Esta página muda sozinha, em segundos.</li>
      </ol>
    </>
  );
}

function PixAsked({ answer, isAsking }: { answer: string | null; isAsking: boolean }) {
  return (
    <div className="flex flex-col gap-3 rounded-card bg-signal-soft p-5">
      <div className="flex items-start gap-3">
        <span aria-hidden="true" className="mt-2 size-3 shrink-0 rounded-full bg-signal ring-4 ring-signal/30" />
        <div role="status">
          <p className="font-semibold">Esperando o pagamento</p>
          <p className="text-small text-muted">{answer ?? "Esta página muda sozinha assim que o banco avisar. Pode fechar: mandamos um e-mail."}</p>
        </div>
      </div>
      <Form method="post" className="pl-6">
        <Button variant="outline" size="sm" disabled={isAsking}>
          Já paguei
        </Button>
      </Form>
    </div>
  );
}
