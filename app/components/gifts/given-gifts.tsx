import { Link } from "react-router";
import { GIFT_PERIODS, giftBadge } from "./gift-labels.ts";
import { Avatar } from "#app/components/ui/avatar.tsx";
import { Badge } from "#app/components/ui/badge.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { mediaUrl } from "#app/domain/media/rules.ts";
import type { PaidGift } from "#app/domain/purchases/gifts/queries/given-gifts.server.ts";
import { giverGiftPath } from "#app/domain/purchases/gifts/rules.ts";
import { formatDay } from "#app/domain/time.ts";

/** Gifts that a member gave, each with its status. `morePath` leads to older ones. */
export function GivenGifts({ gifts, morePath }: { gifts: PaidGift[]; morePath: string | null }) {
  return (
    <section aria-labelledby="presentes" className="flex flex-col gap-3">
      <h2 id="presentes" className="text-heading">
        Presentes que você deu
      </h2>
      <Card className="p-0">
        <ul className="divide-y divide-line">
          {gifts.map((gift) => (
            <li key={gift.id}>
              <Link
                to={giverGiftPath(gift.id)}
                className="flex flex-wrap items-center gap-4 px-5 py-4 hover:bg-sand"
              >
                <Avatar
                  name={gift.creatorName}
                  src={
                    gift.creatorAvatarMediaId ? mediaUrl(gift.creatorAvatarMediaId, "320") : null
                  }
                  size="lg"
                />
                <span className="flex min-w-40 flex-1 flex-col">
                  <span className="font-semibold wrap-anywhere">
                    {gift.recipientName === ""
                      ? `${gift.planName}, de ${gift.creatorName}`
                      : `Para ${gift.recipientName}`}
                  </span>
                  <span className="text-small text-muted wrap-anywhere">
                    {gift.planName}, de {gift.creatorName}, por {GIFT_PERIODS[gift.interval]}
                  </span>
                  <span className="text-small text-muted">
                    <Money cents={gift.amountCents} /> em {formatDay(gift.paidAt)}
                  </span>
                </span>
                <Badge tone={giftBadge(gift).tone}>{giftBadge(gift).label}</Badge>
              </Link>
            </li>
          ))}
        </ul>
      </Card>
      {morePath === null ? null : (
        <ButtonLink to={morePath} variant="outline" className="self-start">
          Ver presentes mais antigos
        </ButtonLink>
      )}
    </section>
  );
}
