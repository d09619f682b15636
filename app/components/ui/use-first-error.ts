import { useEffect } from "react";

/** After a refused form, puts the cursor in the first field that has an error, so that it is read out and corrected at once. */
export function useFirstError(problem: { errors: Record<string, string> } | undefined): void {
  useEffect(() => {
    if (problem && Object.keys(problem.errors).length > 0) document.querySelector<HTMLElement>('form [aria-invalid="true"]')?.focus();
  }, [problem]);
}
