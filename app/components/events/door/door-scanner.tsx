import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from "react";
import type { RefObject } from "react";
import { Button } from "#app/components/ui/button.tsx";
import { isNewReading } from "#app/domain/events/door/rules.ts";
import type { Reading } from "#app/domain/events/door/rules.ts";
import { qrReader } from "./qr-reader.ts";

const LOOK_EVERY_MS = 250;
const noChanges = () => () => {};
const NO_CAMERA = "O navegador não deixou usar a câmera. Use uma foto, ou digite o código.";
const NO_CODE = "Não achamos um QR code nesta foto. Chegue mais perto, ou digite o código.";

/**
 * Reads tickets with the camera, or from a photo. While a ticket is answered (`isBusy`) no other is
 * read.
 */
export function DoorScanner({ isBusy, onCode }: { isBusy: boolean; onCode(code: string): void }) {
  const hasCamera = useSyncExternalStore(
    noChanges,
    () => "mediaDevices" in navigator,
    () => false,
  );
  const [isOn, setIsOn] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const photo = useRef<HTMLInputElement>(null);
  // The decoder is loaded while there is a network.
  useEffect(() => void qrReader().catch(() => null), []);
  const readPhoto = async (input: HTMLInputElement): Promise<void> => {
    const code = await codeOfPhoto(input.files?.[0]);
    input.value = "";
    setProblem(code === "" ? NO_CODE : null);
    if (code !== "") onCode(code);
  };
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap gap-2">
        {hasCamera ? (
          <Button
            type="button"
            variant="outline"
            onClick={() => {
              setProblem(null);
              setIsOn(!isOn);
            }}
          >
            {isOn ? "Desligar a câmera" : "Ler com a câmera"}
          </Button>
        ) : null}
        <Button
          type="button"
          variant="outline"
          disabled={isBusy}
          onClick={() => photo.current?.click()}
        >
          Ler de uma foto
        </Button>
        <input
          ref={photo}
          type="file"
          accept="image/*"
          capture="environment"
          hidden
          onChange={(event) => void readPhoto(event.currentTarget)}
        />
      </div>
      {isOn ? (
        <Camera
          isBusy={isBusy}
          onCode={onCode}
          onProblem={() => {
            setProblem(NO_CAMERA);
            setIsOn(false);
          }}
        />
      ) : null}
      <p role="status" className="text-small text-refusal empty:hidden">
        {problem}
      </p>
    </div>
  );
}

async function codeOfPhoto(file: File | undefined): Promise<string> {
  const picture = file ? await createImageBitmap(file).catch(() => null) : null;
  const read = await qrReader().catch(() => null);
  return picture && read ? await read(picture) : "";
}

type CameraProps = { isBusy: boolean; onCode(code: string): void; onProblem(): void };

function Camera({ isBusy, onCode, onProblem }: CameraProps) {
  const video = useRef<HTMLVideoElement>(null);
  const last = useRef<Reading | null>(null);
  const receive = useEffectEvent((code: string) => {
    const reading = { code, at: performance.now() };
    if (isBusy || code === "") return;
    const isNew = isNewReading(last.current, reading);
    last.current = reading;
    if (isNew) onCode(code);
  });
  const canLook = useEffectEvent(() => !isBusy);
  const fail = useEffectEvent(onProblem);
  useEffect(() => runCamera(video, { canLook, receive, fail }), []);
  return (
    <video
      ref={video}
      muted
      playsInline
      aria-label="Imagem da câmera"
      className="aspect-square w-full max-w-80 rounded-field bg-sand object-cover"
    />
  );
}

type Handlers = { canLook(): boolean; receive(code: string): void; fail(): void };

/** Runs the camera until the returned function is called. One frame is read at a time. */
function runCamera(
  video: RefObject<HTMLVideoElement | null>,
  { canLook, receive, fail }: Handlers,
): () => void {
  let stream: MediaStream | null = null;
  let isStopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const start = async (): Promise<void> => {
    const read = await qrReader();
    stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
    if (isStopped || !video.current) return stream.getTracks().forEach((track) => track.stop());
    video.current.srcObject = stream;
    await video.current.play();
    const look = async (): Promise<void> => {
      if (isStopped) return;
      if (canLook() && video.current) receive(await read(video.current));
      timer = setTimeout(() => void look(), LOOK_EVERY_MS);
    };
    await look();
  };
  start().catch(() => {
    if (!isStopped) fail();
  });
  return () => {
    isStopped = true;
    clearTimeout(timer);
    stream?.getTracks().forEach((track) => track.stop());
  };
}
