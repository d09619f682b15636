import { Countdown } from "#app/components/checkout/charge/countdown.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { QrCode } from "#app/components/ui/qr-code.tsx";
import type { QrDrawing } from "#app/components/ui/qr-code.tsx";
import { PixCodeText } from "./pix-code.tsx";

export type PixCardProps = {
  code: string;
  qr: QrDrawing;
  leftMs: number;
  wholeMs: number;
  expiresAt: number;
  onEnd: () => void;
};

/**
 * Pix code card. On a phone the copy button comes first and the QR is collapsed: nobody scans their
 * own screen.
 */
export function PixCard({ code, qr, leftMs, wholeMs, expiresAt, onEnd }: PixCardProps) {
  return (
    <Card className="@container p-5 sm:p-6">
      <div className="grid gap-6 @lg:grid-cols-[minmax(0,15rem)_minmax(0,1fr)] @lg:items-center">
        <div className="mx-auto hidden w-full max-w-60 lg:block">
          <QrCode drawing={qr} label="QR code do Pix" />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <Countdown leftMs={leftMs} wholeMs={wholeMs} expiresAt={expiresAt} onEnd={onEnd} />
          <PixCodeText code={code} />
          <details className="lg:hidden">
            <summary className="flex min-h-11 items-center font-semibold text-leaf underline underline-offset-4">
              Ver o QR code
            </summary>
            <div className="flex justify-center pt-3">
              <QrCode drawing={qr} label="QR code do Pix" />
            </div>
          </details>
        </div>
      </div>
    </Card>
  );
}
