import { QrCode } from "#app/components/ui/qr-code.tsx";
import type { ComponentProps } from "react";

/** Folded QR code of a post's public address, with the address as text. */
export function PostQrCode({
  drawing,
  title,
  pageUrl,
}: Pick<ComponentProps<typeof QrCode>, "drawing"> & { title: string; pageUrl: string }) {
  return (
    <details className="rounded-card border border-line bg-card px-5">
      <summary className="flex min-h-12 items-center font-semibold">
        QR code desta publicação
      </summary>
      <div className="flex flex-col items-start gap-3 pb-5">
        <QrCode drawing={drawing} label={`QR code de ${title}`} />
        <p className="text-small break-all text-muted select-all">{pageUrl}</p>
      </div>
    </details>
  );
}
