import { METHODS_IN_TEXT } from "#app/domain/payments/methods/rules.ts";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { loginPath, registerPath } from "#app/lib/own-path.ts";
import { SquareScene } from "./square-scene.tsx";

/** Where a new creator goes on after signing up. */
const START = registerPath("/space/create");

/** The product in one sentence and one picture. `creatorPercent` is what a creator keeps: "95%". */
export function Hero({ creatorPercent }: { creatorPercent: string }) {
  return (
    <section aria-labelledby="inicio" className="relative isolate overflow-hidden bg-cloth">
      <div className="relative z-10 mx-auto flex w-full max-w-[1112px] flex-col items-center px-4 pt-9 pb-[23.5rem] text-center sm:pt-12 sm:pb-[32.5rem] wide:pb-[calc(33.75vw+1.75rem)]">
        <h1
          id="inicio"
          className="max-w-[11em] text-[2.5rem] leading-[1] font-bold tracking-[-0.035em] min-[24rem]:text-[2.875rem] sm:text-[5rem] sm:leading-[0.96] sm:tracking-[-0.045em] lg:text-[6rem]"
        >
          <span className="block">Suba no coreto.</span> Quem gosta, assina.
        </h1>
        <p className="mt-5 max-w-[35rem] text-[1.0625rem] leading-7 text-balance sm:text-[1.25rem] sm:leading-8">
          Publique textos, fotos, vídeos e áudios na sua página. Quem gosta paga por mês, por{" "}
          {METHODS_IN_TEXT}, e{" "}
          <strong className="font-semibold">{creatorPercent} de cada pagamento</strong> é seu. Sem
          mensalidade.
        </p>
        <div className={`mt-7 w-full justify-center ${BUTTONS}`}>
          <StartLink />
          {/* Who has an account finds "Entrar" above; who is new asks what is left for them. */}
          <ButtonLink
            to="/#calculadora"
            reloadDocument
            variant="outline"
            size="lg"
            className="min-h-14 px-7 text-[1.0625rem]"
          >
            Calcular quanto recebo
          </ButtonLink>
        </div>
      </div>
      <SquareScene className="absolute inset-x-0 bottom-0 -z-10 h-[21rem] w-full sm:h-[29rem] wide:h-[33.75vw]" />
    </section>
  );
}

const BUTTONS = "flex flex-wrap gap-3 max-[28rem]:*:w-full";

function StartLink() {
  return (
    <ButtonLink to={START} reloadDocument size="lg" className="min-h-14 px-8 text-[1.0625rem]">
      Criar minha página
    </ButtonLink>
  );
}

/** "Criar minha página" and "Já tenho conta". */
export function StartButtons({ className = "" }: { className?: string }) {
  return (
    <div className={`${BUTTONS} ${className}`}>
      <StartLink />
      <ButtonLink
        to={loginPath("/")}
        reloadDocument
        variant="outline"
        size="lg"
        className="min-h-14 px-7 text-[1.0625rem]"
      >
        Já tenho conta
      </ButtonLink>
    </div>
  );
}
