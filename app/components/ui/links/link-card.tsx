import type { ReactNode } from "react";
import { Card } from "#app/components/ui/card.tsx";
import { CopyButton } from "#app/components/ui/copy-button.tsx";
import { QrCode } from "#app/components/ui/qr-code.tsx";
import type { QrDrawing } from "#app/components/ui/qr-code.tsx";

type LinkCardProps = {
  /** Accessible name of the card. */
  label: string;
  url: string;
  qr: QrDrawing;
  qrLabel: string;
  copyLabel: string;
  children?: ReactNode;
};

/** An address to share: to copy, to select without JavaScript, and to scan. */
export function LinkCard({ label, url, qr, qrLabel, copyLabel, children }: LinkCardProps) {
  return (
    <Card as="section" label={label} className="flex flex-col gap-3 p-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0 font-semibold break-all select-all">{url}</p>
        <CopyButton
          text={url}
          label={copyLabel}
          copiedText="Link copiado"
          manualText="Toque no endereço e copie."
        />
      </div>
      <details>
        <summary className="flex min-h-11 items-center font-semibold">{qrLabel}</summary>
        <QrCode drawing={qr} label={qrLabel} />
      </details>
      {children}
    </Card>
  );
}
