import { Share } from "lucide-react";
import type { MouseEvent } from "react";
import { toast } from "#app/components/ui/toasts/toast.ts";

/**
 * Share link: the phone's share sheet, or else a copied URL; without JavaScript, a WhatsApp
 * message. On a page without framework, PUBLIC_SCRIPT does the same by `data-share`.
 */
export function ShareLink({ title, url }: { title: string; url: string }) {
  const share = async (event: MouseEvent) => {
    event.preventDefault();
    try {
      if (navigator.share) return await navigator.share({ title, url });
      await navigator.clipboard.writeText(url);
      toast.success("Endereço copiado.");
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return;
      toast.error("Não deu para compartilhar. Copie o endereço da página.");
    }
  };
  return (
    <a
      href={`https://wa.me/?text=${encodeURIComponent(`${title} ${url}`)}`}
      rel="noopener"
      target="_blank"
      data-share={url}
      data-share-title={title}
      aria-label={`Compartilhar ${title}`}
      onClick={(event) => void share(event)}
      className="-mr-2 ml-auto inline-flex min-h-11 min-w-11 items-center justify-center rounded-full text-muted hover:bg-sand hover:text-ink"
    >
      <Share aria-hidden="true" className="size-5" />
      <span data-share-words role="status" className="sr-only" />
    </a>
  );
}
