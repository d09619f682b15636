import { data } from "react-router";

/** What the server answered; a lost connection is a sentence that undoes the button, in place of an error over the whole page. */
export async function orSayOffline<Answer>(serverAction: () => Promise<Answer>) {
  try {
    return await serverAction();
  } catch (error) {
    if (error instanceof Response) throw error;
    return data({ errors: {}, message: "Não deu para salvar. Confira a internet e tente de novo.", values: {} }, { status: 503 });
  }
}
