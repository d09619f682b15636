import { useState } from "react";
import { Button } from "#app/components/ui/button.tsx";

/**
 * The video of a live event. Nothing of the provider is loaded before "Carregar vídeo"; without
 * JavaScript that is a form, which asks for the page with the video.
 */
export function LiveVideoFrame({
  eventId,
  providerName,
  isAsked,
}: {
  eventId: string;
  providerName: string;
  isAsked: boolean;
}) {
  const [isShown, setIsShown] = useState(isAsked);
  if (isShown)
    return (
      <iframe
        src={`/events/${eventId}/live/player`}
        title="Vídeo ao vivo"
        allow="autoplay; fullscreen; picture-in-picture; encrypted-media"
        className="aspect-video w-full rounded-card border-0 bg-sand"
      />
    );
  return (
    <form
      method="get"
      onSubmit={(event) => {
        event.preventDefault();
        setIsShown(true);
      }}
      className="flex aspect-video w-full flex-col items-center justify-center gap-3 rounded-card bg-sand p-5 text-center"
    >
      <p className="max-w-80 text-small">
        O vídeo vem do {providerName}, que fica sabendo da sua visita quando você carrega.
      </p>
      <input type="hidden" name="video" value="1" />
      <Button size="lg">Carregar vídeo</Button>
    </form>
  );
}
