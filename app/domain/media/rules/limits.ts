export const MIB = 1024 * 1024;

export const LARGEST_POSTER_BYTES = 2 * MIB;

export const LARGEST_CAPTIONS_BYTES = 1 * MIB;

export const MEDIA_PER_POST_MAX = 20;

export const ALT_MAX = 300;

/**
 * For the `accept` of a file input. The bytes decide, not the name. A WAV may be chosen, so that
 * its refusal can say how to convert it.
 */
export const ACCEPTED_IMAGES = "image/jpeg,image/png,image/gif,image/webp,image/avif";

export const ACCEPTED_FILES = `${ACCEPTED_IMAGES},video/mp4,video/webm,audio/mpeg,audio/mp4,audio/x-m4a,audio/ogg,audio/wav,application/pdf,.jpg,.png,.gif,.webp,.avif,.mp4,.webm,.mp3,.m4a,.ogg,.oga,.opus,.wav,.pdf`;

export const mediaVariants = [
  "face",
  "320",
  "640",
  "1280",
  "1920",
  "original",
  "poster",
  "captions",
] as const;

/**
 * Largest image of a form, which is read into memory. Spec section 5: a profile image stays under
 * 10 MB.
 */
export const LARGEST_IMAGE_BYTES = 10 * MIB;

/** Largest file of any kind in a form, which is read into memory. */
export const LARGEST_FORM_FILE_BYTES = 10 * MIB;

/** Largest file uploaded in parts, by its kind. */
export const LARGEST_BYTES = {
  image: 25 * MIB,
  video: 2048 * MIB,
  audio: 500 * MIB,
  document: 100 * MIB,
};
