import { useEffect } from "react";

/**
 * After a refused form, focuses the first field with an error, so that it is read out. Without one,
 * focuses and scrolls to the form's error (`FormMessage`).
 */
export function useFirstError(problem: { errors: Record<string, string> } | undefined): void {
  useEffect(() => {
    if (!problem) return;
    const field = document.querySelector<HTMLElement>(
      'form [aria-invalid="true"], form [data-invalid] input',
    );
    (field ?? document.querySelector<HTMLElement>('form [role="alert"]'))?.focus();
  }, [problem]);
}
