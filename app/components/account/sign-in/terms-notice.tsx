import { Link } from "react-router";

/** Notice above every page until the terms in force are accepted. It blocks none of them. */
export function TermsNotice({ from }: { from: string }) {
  return (
    <p role="status" className="mb-6 rounded-card border border-line bg-attention-soft px-5 py-4">
      Os termos de uso e a privacidade têm uma versão nova, de {from}.{" "}
      <Link to="/settings/policies" className="font-semibold underline underline-offset-4">
        Ler e aceitar
      </Link>
    </p>
  );
}
