type ToastKind = "success" | "error" | "info";
type ToastOptions = {
  /** A toast with the id of another replaces it. */
  id?: string;
  action?: { label: string; onClick: () => void };
};
type Show = (kind: ToastKind, message: string, options: ToastOptions) => void;

let show: Show | null = null;
const waiting: Parameters<Show>[] = [];

/**
 * Shows the toasts that wait, and all later ones, through `area`. Returns a function that ends
 * that. The area is loaded after the page (toaster.tsx).
 */
export function openToasts(area: Show): () => void {
  show = area;
  for (const one of waiting.splice(0)) area(...one);
  return () => {
    show = null;
  };
}

const shower =
  (kind: ToastKind) =>
  (message: string, options: ToastOptions = {}): void => {
    if (show) show(kind, message, options);
    else waiting.push([kind, message, options]);
  };

/** Shows a toast, or keeps it until the area of toasts is loaded. */
export const toast = {
  success: shower("success"),
  error: shower("error"),
  info: shower("info"),
};
