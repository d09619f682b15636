import { data } from "react-router";

/**
 * Runs a server action; a lost connection becomes a message that reverts the button, instead of an
 * error page.
 */
export async function withOfflineMessage<Answer>(serverAction: () => Promise<Answer>) {
  try {
    return await serverAction();
  } catch (error) {
    if (error instanceof Response) throw error;
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
    if (error instanceof Response) throw error;
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
