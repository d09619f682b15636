/** Returns the text of a form's field; empty for a file and for a field that is not there. */
export function formText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
