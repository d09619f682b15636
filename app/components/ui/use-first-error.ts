import { useEffect } from "react";

/**
 * After a refused form, puts the cursor in the first field that has an error, so that it is read
 * out and corrected at once; without one, on the refusal of the whole form (`FormMessage`), which
 * comes into sight.
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
