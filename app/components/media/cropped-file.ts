export type Rectangle = { x: number; y: number; width: number; height: number };

const QUALITY = 0.92;

/**
 * Crops an image to `area`, in its own pixels, at most `widestPixels` wide. Null when the browser
 * cannot read or draw it.
 */
export async function croppedFile(
  file: File,
  area: Rectangle,
  widestPixels: number,
): Promise<File | null> {
  const scale = Math.min(1, widestPixels / area.width);
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(area.width * scale));
  canvas.height = Math.max(1, Math.round(area.height * scale));
  try {
    // Applies the orientation of the EXIF data first, as viewers do.
    const image = await createImageBitmap(file, { imageOrientation: "from-image" });
    canvas
      .getContext("2d")
      ?.drawImage(
        image,
        area.x,
        area.y,
        area.width,
        area.height,
        0,
        0,
        canvas.width,
        canvas.height,
      );
    image.close();
  } catch {
    return null;
  }
  const blob = await new Promise<Blob | null>((resolve) =>
    canvas.toBlob(resolve, "image/webp", QUALITY),
  );
  return blob && new File([blob], nameOfCut(file.name, blob.type), { type: blob.type });
}

/** Returns the name of a cut image: as it was called, with the ending of what it is now. */
export function nameOfCut(name: string, contentType: string): string {
  const stem = name.replace(/\.[^.]*$/, "").trim() || "imagem";
  return `${stem}.${contentType.replace("image/", "")}`;
}
