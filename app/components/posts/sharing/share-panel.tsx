import { QrCode } from "#app/components/ui/qr-code.tsx";
import type { QrDrawing } from "#app/components/ui/qr-code.tsx";
import { ShareLink } from "./share-link.tsx";

type SharePanelProps = { title: string; url: string; qr: QrDrawing };

/** A public address to scan, to copy and to share. */
export function SharePanel({ title, url, qr }: SharePanelProps) {
  return (
    <>
      <QrCode drawing={qr} label={`QR code de ${title}`} />
      <div className="flex w-full items-center gap-2">
        <p className="min-w-0 flex-1 rounded-field bg-sand px-4 py-3 text-small break-all select-all">
          {url}
        </p>
        <ShareLink title={title} url={url} />
      </div>
    </>
  );
}

/** The ways to share a page, folded below its share link. */
export function FoldedSharePanel(shared: SharePanelProps) {
  return (
    <details className="px-1">
      <summary className="flex min-h-11 w-fit items-center text-small font-semibold">
        Endereço e QR code
      </summary>
      <div className="flex flex-col items-start gap-4 pt-2">
        <SharePanel {...shared} />
      </div>
    </details>
  );
}
