import { useCompany } from "#app/components/shell/company.ts";
import { domainContext } from "#app/http/contexts.ts";
import { productPageMeta } from "#app/http/public-pages/public-meta.ts";
import type { Route } from "./+types/use.ts";

const HEAD = {
  title: "Termos de uso",
  description:
    "As regras de uso do Coreto: conta, assinaturas, pagamentos, arrependimento em 7 dias e contato.",
  path: "/terms",
};

export const meta: Route.MetaFunction = ({ loaderData }) =>
  productPageMeta({ ...HEAD, origin: loaderData?.origin ?? "" });

export const loader = ({ context }: Route.LoaderArgs) => ({
  origin: context.get(domainContext).settings.appOrigin,
});

export default function Use() {
  const company = useCompany();
  return (
    <>
      <h1 className="text-title sm:text-display">Termos de uso</h1>
      <p>
        O Coreto é o lugar em que quem cria publica, é seguido e recebe. Estes termos são o contrato
        entre você e {company.name} (CNPJ {company.cnpj}), com sede em {company.address}. Escrevemos
        para serem lidos: se algo não ficou claro, pergunte em {company.email}.
      </p>
      <Account />
      <Buying />
      <RightOfWithdrawal />
      <Conduct />
      <Closing />
    </>
  );
}

function Account() {
  return (
    <>
      <h2>1. Sua conta</h2>
      <ul>
        <li>Ver páginas públicas não pede conta. Seguir, comentar, comprar e publicar pedem.</li>
        <li>Você precisa ter 16 anos para ter uma conta; vender é só a partir dos 18.</li>
        <li>
          A conta é sua: guarde a senha e avise se alguém entrar sem a sua permissão. Uma pessoa,
          uma conta de cada vez.
        </li>
        <li>O nome de usuário não pode fingir ser outra pessoa nem a plataforma.</li>
      </ul>
    </>
  );
}

function Buying() {
  return (
    <>
      <h2>2. Assinaturas e compras</h2>
      <ul>
        <li>
          Quem vende é quem cria. O nome e o CPF ou CNPJ de quem vende aparecem antes de você pagar
          e no recibo. O Coreto faz a intermediação e cuida do pagamento.
        </li>
        <li>
          O preço que aparece é o preço que você paga, por Pix ou cartão. Valores abaixo de R$ 10,00
          são só por Pix.
        </li>
        <li>
          O código Pix da compra vale 30 minutos. Pago depois disso, a assinatura vale se o plano
          ainda for vendido e houver lugar; senão, devolvemos na hora e dizemos por quê.
        </li>
        <li>
          A assinatura renova no mesmo dia de cada período. Avisamos antes: 3 dias no plano mensal,
          7 no trimestral, 30 e 7 no semestral e no anual.
        </li>
        <li>Preço novo vale para assinaturas novas. A sua só muda se você concordar.</li>
        <li>
          Se uma renovação falhar, você tem 7 dias de acesso para acertar. Depois a assinatura
          expira, sem dívida e sem novas tentativas.
        </li>
        <li>
          Cancelar leva dois toques, em Ajustes, Assinaturas. O acesso continua até o fim do período
          pago.
        </li>
        <li>
          Período grátis não vira pago sem o seu sim: o botão diz o valor e a data da primeira
          cobrança.
        </li>
      </ul>
    </>
  );
}

function RightOfWithdrawal() {
  return (
    <>
      <h2 id="refunds">3. Arrependimento e reembolso</h2>
      <ul>
        <li>
          Você pode se arrepender em até 7 dias de cada contratação (Código de Defesa do Consumidor,
          art. 49): assinatura, publicação avulsa, coleção, arquivo de uma mensagem, presente ou
          diferença de plano. Devolvemos tudo, sem perguntar o motivo, na mesma tela. O acesso
          termina junto.
        </li>
        <li>
          Reembolso de cartão volta na fatura; de Pix, para a conta de onde saiu. Depois de 90 dias,
          o Pix é devolvido por transferência.
        </li>
        <li>
          Se quem cria fechar a página, for banido ou apagar o que você comprou, devolvemos os dias
          não usados e a compra, sem você pedir.
        </li>
        <li>O que você comprou uma vez continua seu, até ser devolvido ou removido por lei.</li>
      </ul>
    </>
  );
}

function Conduct() {
  return (
    <>
      <h2>4. O que não pode</h2>
      <ul>
        <li>
          Conteúdo sexual com menores, em qualquer forma: removemos e comunicamos às autoridades.
        </li>
        <li>
          Racismo, ameaça, perseguição, exposição da intimidade de alguém sem consentimento, golpe,
          venda de produto proibido.
        </li>
        <li>Copiar obra dos outros sem autorização, ou redistribuir o que é só para assinantes.</li>
        <li>Conteúdo adulto: a plataforma não o aceita hoje.</li>
        <li>Automatizar acessos, burlar o pagamento ou atacar o serviço.</li>
      </ul>
      <p>
        Quem encontra algo assim pode denunciar, no menu de cada publicação, comentário, mensagem e
        perfil, ou escrever para nós, no endereço do fim desta página. Uma pessoa confere, e quem
        denunciou recebe um aviso do que foi decidido. Quem teve conteúdo ou conta atingidos lê a
        regra e o motivo, e pode recorrer uma vez, em até 20 dias. Ordens judiciais são cumpridas
        nos termos do Marco Civil da Internet (Lei 12.965/2014).
      </p>
      <h2>5. O que é seu continua seu</h2>
      <p>
        Você mantém todos os direitos sobre o que publica. Ao publicar, permite que o Coreto guarde,
        adapte o formato e mostre a obra a quem você escolheu, enquanto ela estiver no ar. Não
        vendemos o seu conteúdo nem treinamos modelos com ele.
      </p>
    </>
  );
}

function Closing() {
  const company = useCompany();
  return (
    <>
      <h2>6. Encerramento</h2>
      <p>
        Você pode encerrar a conta quando quiser. Podemos suspender uma conta que descumpra estes
        termos, dizendo o motivo. O dinheiro já ganho por quem cria é pago, salvo o que estiver
        contestado ou bloqueado por ordem judicial.
      </p>
      <h2>7. Responsabilidade</h2>
      <p>
        Respondemos pelo serviço que prestamos, como manda a lei. Cuidamos para que ele esteja
        sempre no ar, mas pode haver paradas, que avisamos quando são programadas. Nada aqui tira
        direitos que o Código de Defesa do Consumidor dá a você.
      </p>
      <h2>8. Mudanças e foro</h2>
      <p>
        Mudanças importantes são avisadas por e-mail com 15 dias de antecedência; quem não concordar
        pode encerrar a conta sem custo. Vale a lei brasileira, e o foro é o do domicílio de quem
        consome.
      </p>
      <h2>Fale com a gente</h2>
      <p>
        {company.name}
        <br />
        {company.address}
        <br />
        <a href={`mailto:${company.email}`}>{company.email}</a>, respondido em até 5 dias (Decreto
        7.962/2013).
      </p>
    </>
  );
}
