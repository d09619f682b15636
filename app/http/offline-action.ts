import { data, isRouteErrorResponse } from "react-router";

/**
 * Runs a server action; a lost connection becomes a message that reverts the button, instead of an
 * error page.
 */
export async function withOfflineMessage<Answer>(serverAction: () => Promise<Answer>) {
  try {
    return await serverAction();
  } catch (error) {
    if (error instanceof Response || isAnswered(error)) throw error;
    return data(
      {
        errors: {},
        message: "Não deu para salvar. Confira a internet e tente de novo.",
        values: {},
      },
      { status: 503 },
    );
  }
}

/** A lost connection keeps the typed `body` and shows a message, instead of an error page. */
export async function withTypedOnOffline<Answer>(
  request: Request,
  serverAction: () => Promise<Answer>,
) {
  const typed = await request.clone().formData();
  try {
    return await serverAction();
  } catch (error) {
    if (error instanceof Response || isAnswered(error)) throw error;
    const values: Record<string, string> = {};
    for (const [name, value] of typed) {
      if (typeof value === "string")
        values[name] = values[name] === undefined ? value : `${values[name]}\n${value}`;
    }
    return data(
      {
        errors: {},
        message: "O seu texto não foi enviado. Confira a internet e tente de novo.",
        values,
      },
      { status: 503 },
    );
  }
}

/** The server answered that it does not know who sent the form. It says so itself. */
function isAnswered(error: unknown): boolean {
  return isRouteErrorResponse(error) && (error.status === 401 || error.status === 503);
}
