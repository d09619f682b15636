import type { ReactNode } from "react";

/** One component in one state. */
export type GalleryPart = {
  /** Which state it is in, such as "com nome comprido". */
  name: string;
  element: ReactNode;
  /** Takes the whole width, as tables and charts do. */
  isWide?: boolean;
};

/** A page of the gallery: the components of one noun, or one whole screen. */
export type GalleryScreen = {
  slug: string;
  title: string;
  /** A whole screen, with its own frame and headings, has one part and nothing around it. */
  isWhole?: boolean;
  parts: readonly GalleryPart[];
};
