import { Closing } from "#app/components/front-door/closing.tsx";
import { CreatorsOnString } from "#app/components/front-door/creators-on-string.tsx";
import { EarningsCalculator } from "#app/components/front-door/earnings-calculator.tsx";
import { FansCorner } from "#app/components/front-door/fans-corner.tsx";
import { Hero } from "#app/components/front-door/hero.tsx";
import { Questions } from "#app/components/front-door/questions.tsx";
import { OwnReasons, PixReasons } from "#app/components/front-door/reasons.tsx";
import { WholePrice } from "#app/components/front-door/whole-price.tsx";
import { ana, bia, DAY_MS, newcomer, NOW } from "#workers/sandbox-psp/gallery/screens/data.ts";
import type { GalleryScreen } from "#workers/sandbox-psp/gallery/screens/screen.ts";

const days = { firstPix: NOW + DAY_MS, pixRenewal: NOW + DAY_MS, card: NOW + 30 * DAY_MS };

export const FRONT_DOOR: GalleryScreen = {
  slug: "front-door",
  title: "Porta de entrada",
  parts: [
    { name: "Abertura", element: <Hero creatorPercent="95%" />, isWide: true },
    {
      name: "Criadores",
      element: <CreatorsOnString creators={[ana, bia, newcomer]} />,
      isWide: true,
    },
    { name: "Nenhum criador ainda", element: <CreatorsOnString creators={[]} />, isWide: true },
    {
      name: "Quanto você recebe",
      element: (
        <EarningsCalculator
          form={{
            typed: { subscribers: "100", price: "19,90" },
            errors: {},
            subscribers: 100,
            priceCents: 1_990,
          }}
          days={days}
          feeBasisPoints={500}
        />
      ),
      isWide: true,
    },
    {
      name: "Quanto você recebe, com erro",
      element: (
        <EarningsCalculator
          form={{
            typed: { subscribers: "muitos", price: "19,90" },
            errors: { subscribers: "Escreva só o número." },
            subscribers: 100,
            priceCents: 1_990,
          }}
          days={days}
          feeBasisPoints={500}
        />
      ),
      isWide: true,
    },
    { name: "Por que o Pix", element: <PixReasons />, isWide: true },
    { name: "O que é seu", element: <OwnReasons />, isWide: true },
    { name: "O preço inteiro", element: <WholePrice feeBasisPoints={500} />, isWide: true },
    { name: "Perguntas", element: <Questions feeBasisPoints={500} />, isWide: true },
    { name: "Para fãs", element: <FansCorner />, isWide: true },
    { name: "Fim", element: <Closing />, isWide: true },
  ],
};
