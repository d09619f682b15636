import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { RefObject } from "react";
import { useNavigation, useSubmit } from "react-router";
import { Button } from "#app/components/ui/button.tsx";

type Detector = { detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]> };
type DetectorClass = new (options: { formats: string[] }) => Detector;

/** The Shape Detection API, which not every browser has. */
const detectorClass = (): DetectorClass | null =>
  "BarcodeDetector" in globalThis
    ? (globalThis as unknown as { BarcodeDetector: DetectorClass }).BarcodeDetector
    : null;

const LOOK_EVERY_MS = 250;
/** A ticket that stays before the camera is one ticket, until it was away for this long. */
const SAME_CODE_MS = 4_000;
const noChanges = () => () => {};

/** Reads tickets with the camera and submits the form. Nothing where the browser cannot. */
export function DoorScanner({ form }: { form: RefObject<HTMLFormElement | null> }) {
  const canScan = useSyncExternalStore(
    noChanges,
    () => detectorClass() !== null,
    () => false,
  );
  const [isOn, setIsOn] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const video = useRef<HTMLVideoElement>(null);
  const submit = useSubmit();
  const { state } = useNavigation();
  const isBusy = useRef(false);
  useEffect(() => {
    isBusy.current = state !== "idle";
  }, [state]);
  useEffect(() => {
    if (!isOn) return;
    return scanInto(video, {
      onCode: (code) => {
        const input = form.current?.elements.namedItem("code");
        if (!(input instanceof HTMLInputElement) || !form.current || isBusy.current) return false;
        input.value = code;
        void submit(form.current);
        return true;
      },
      onProblem: () => {
        setProblem("O navegador não deixou usar a câmera. Digite o código do ingresso.");
        setIsOn(false);
      },
    });
  }, [isOn, form, submit]);
  if (!canScan) return null;
  return (
    <div className="flex flex-col gap-3">
      <Button
        type="button"
        variant="outline"
        className="self-start"
        onClick={() => {
          setProblem(null);
          setIsOn(!isOn);
        }}
      >
        {isOn ? "Desligar a câmera" : "Ler com a câmera"}
      </Button>
      {isOn ? (
        <video
          ref={video}
          muted
          playsInline
          aria-label="Imagem da câmera"
          className="aspect-square w-full max-w-80 rounded-field bg-sand object-cover"
        />
      ) : null}
      <p role="status" className="text-small text-refusal empty:hidden">
        {problem}
      </p>
    </div>
  );
}

/** `onCode` returns whether it took the code; one that it did not is tried again. */
type Handlers = { onCode(code: string): boolean; onProblem(): void };

/** Runs the camera until the returned function is called. */
function scanInto(
  video: RefObject<HTMLVideoElement | null>,
  { onCode, onProblem }: Handlers,
): () => void {
  const Detector = detectorClass();
  if (!Detector) return () => {};
  const detector = new Detector({ formats: ["qr_code"] });
  let stream: MediaStream | null = null;
  let isStopped = false;
  let last = { code: "", at: 0 };
  const look = async (): Promise<void> => {
    const found = video.current ? await detector.detect(video.current).catch(() => []) : [];
    const code = found[0]?.rawValue ?? "";
    const at = performance.now();
    if (isStopped || code === "") return;
    const isSame = code === last.code && at - last.at < SAME_CODE_MS;
    if (isSame || onCode(code)) last = { code, at };
  };
  const start = async (): Promise<void> => {
    stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
    if (isStopped || !video.current) return stream.getTracks().forEach((track) => track.stop());
    video.current.srcObject = stream;
    await video.current.play();
  };
  start().catch(onProblem);
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  return () => {
    isStopped = true;
    clearInterval(timer);
    stream?.getTracks().forEach((track) => track.stop());
  };
}
