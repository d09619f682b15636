import { useEffect, useRef, useState } from "react";
import Cropper from "react-easy-crop";
import type { Area, Point } from "react-easy-crop";
import { Button } from "#app/components/ui/button.tsx";
import { FileField } from "#app/components/ui/fields/field.tsx";
import { ACCEPTED_IMAGES } from "#app/domain/media/rules/limits.ts";
import { croppedFile } from "./cropped-file.ts";

import "react-easy-crop/react-easy-crop.css";

/**
 * Crop shapes. Avatars are round, banners are four times as wide as high. Images are stored no
 * larger than their pages display them.
 */
const SHAPES = {
  avatar: { aspect: 1, cropShape: "round", widestPixels: 1_280, height: "h-72" },
  banner: { aspect: 4, cropShape: "rect", widestPixels: 1_920, height: "h-60" },
} as const;
const ZOOM_MAX = 4;

type CropFieldProps = {
  label: string;
  name: string;
  shape: keyof typeof SHAPES;
  error: string | undefined;
  hint: string;
  /** The form asks for nothing else. */
  isRequired?: boolean;
};

/**
 * File input with a crop by drag, arrow keys or zoom. Without JavaScript, or for an image that the
 * browser cannot show, the file stays whole and pages show its center.
 */
export function CropField({ label, name, shape, error, hint, isRequired = false }: CropFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<File | null>(null);
  return (
    <div className="flex flex-col gap-3">
      <FileField
        ref={input}
        label={label}
        name={name}
        accept={ACCEPTED_IMAGES}
        error={error}
        required={isRequired}
        hint={hint}
        onChange={(event) => setChosen(event.currentTarget.files?.[0] ?? null)}
      />
      {chosen ? (
        <CropArea
          key={`${chosen.name} ${chosen.lastModified} ${chosen.size}`}
          file={chosen}
          label={label}
          shape={shape}
          onCut={(cut) => replaceFile(input.current, cut)}
          onGone={() => setChosen(null)}
        />
      ) : null}
    </div>
  );
}

type CropAreaProps = {
  file: File;
  label: string;
  shape: keyof typeof SHAPES;
  onCut: (cut: File) => void;
  onGone: () => void;
};

function CropArea({ file, label, shape, onCut, onGone }: CropAreaProps) {
  const { aspect, cropShape, widestPixels, height } = SHAPES[shape];
  const address = useAddressOf(file);
  const [crop, setCrop] = useState<Point>({ x: 0, y: 0 });
  const [zoom, setZoom] = useState(1);
  const [isCut, setIsCut] = useState(false);
  const latest = useRef(0);
  const cut = async (_: Area, area: Area) => {
    const turn = ++latest.current;
    const made = await croppedFile(file, area, widestPixels);
    if (turn !== latest.current) return;
    if (made === null) return onGone();
    onCut(made);
    setIsCut(true);
  };
  return (
    <div role="group" aria-label={`Recortar: ${label}`} className="flex flex-col gap-3">
      <div className={`relative overflow-hidden rounded-field bg-sand ${height}`}>
        <Cropper
          image={address}
          crop={crop}
          zoom={zoom}
          maxZoom={ZOOM_MAX}
          aspect={aspect}
          cropShape={cropShape}
          showGrid={false}
          zoomWithScroll={false}
          keyboardStep={8}
          onCropChange={setCrop}
          onZoomChange={setZoom}
          onCropComplete={cut}
          disableAutomaticStylesInjection
          cropperProps={{
            "aria-label": "Área do recorte. Mova com as setas do teclado.",
            role: "application",
          }}
          mediaProps={{ alt: "", onError: onGone }}
        />
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <label className="flex min-h-11 min-w-56 flex-1 items-center gap-3 text-small font-semibold">
          <span className="shrink-0">Aproximar</span>
          <input
            type="range"
            min={1}
            max={ZOOM_MAX}
            step={0.05}
            value={zoom}
            onChange={(event) => setZoom(Number(event.currentTarget.value))}
            className="min-h-11 min-w-0 flex-1 accent-leaf"
          />
        </label>
        <Button
          type="button"
          variant="outline"
          size="sm"
          onClick={() => {
            setCrop({ x: 0, y: 0 });
            setZoom(1);
          }}
        >
          Centralizar
        </Button>
      </div>
      <p role="status" className="text-small text-muted">
        {isCut ? "Vai assim. Arraste, ou mova com as setas, para mudar." : "Preparando o recorte…"}
      </p>
    </div>
  );
}

/** Object URL of a file, revoked on unmount. */
function useAddressOf(file: File): string {
  const [address] = useState(() => URL.createObjectURL(file));
  useEffect(() => () => URL.revokeObjectURL(address), [address]);
  return address;
}

/** Replaces the chosen file of an input with the cropped one. */
function replaceFile(input: HTMLInputElement | null, file: File): void {
  if (!input) return;
  const files = new DataTransfer();
  files.items.add(file);
  input.files = files.files;
}
