import type { Context } from "#app/domain/context.ts";
import { storeImage, uploadBytes } from "#app/domain/media/commands.server.ts";

type ProfileImages = {
  personId: string;
  name: string;
  avatar: File | undefined;
  banner: File | undefined;
};

/**
 * Saves the images of a profile form. An image that the form lacks is null. Reports a refusal at
 * the image's own field.
 */
export async function storeProfileImages(
  ctx: Context,
  { personId, name, avatar, banner }: ProfileImages,
): Promise<{ avatarMediaId: string | null; bannerMediaId: string | null }> {
  const storeImageOf = async (
    file: File | undefined,
    purpose: "avatar" | "banner",
    alt: string,
  ) => {
    if (!file) return null;
    const { mediaId } = await storeImage(ctx, {
      ownerId: personId,
      purpose,
      bytes: await uploadBytes(file, purpose),
      alt,
      field: purpose,
    });
    return mediaId;
  };
  return {
    avatarMediaId: await storeImageOf(avatar, "avatar", `Foto de ${name}`),
    bannerMediaId: await storeImageOf(banner, "banner", `Capa da página de ${name}`),
  };
}
