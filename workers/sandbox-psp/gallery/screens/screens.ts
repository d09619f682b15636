import { ACCOUNT, NOTIFICATIONS } from "./parts/account.tsx";
import { BUTTONS, FIELDS } from "./parts/buttons-and-fields.tsx";
import { CHECKOUT, PAYMENT_OUTCOMES, PIX } from "./parts/checkout.tsx";
import { CREATORS, EXPLORE } from "./parts/creators.tsx";
import { MEMBER_FRAME, PUBLIC_ERROR, STATES } from "./parts/errors.tsx";
import { EVENT_FORMS, EVENTS } from "./parts/events.tsx";
import { FRONT_DOOR } from "./parts/front-door.tsx";
import { BROADCASTS, MESSAGES_SCREEN } from "./parts/messages.tsx";
import { BOOKS, MONEY } from "./parts/money.tsx";
import { MORE_NUMBERS, NUMBERS } from "./parts/numbers.tsx";
import { PLAN_FORMS, PLANS } from "./parts/plans.tsx";
import { STAFF } from "./parts/staff.tsx";
import { STUDIO } from "./parts/studio.tsx";
import { COLLECTIONS, COMMENTS, POST_PARTS, POSTS } from "./parts/posts.tsx";
import type { GalleryScreen } from "./screen.ts";

/** Every page of the gallery, in the order of its links. */
export const GALLERY_SCREENS: readonly GalleryScreen[] = [
  BUTTONS,
  FIELDS,
  STATES,
  PUBLIC_ERROR,
  MEMBER_FRAME,
  POSTS,
  POST_PARTS,
  COMMENTS,
  COLLECTIONS,
  CREATORS,
  EXPLORE,
  PLANS,
  PLAN_FORMS,
  CHECKOUT,
  PIX,
  PAYMENT_OUTCOMES,
  MESSAGES_SCREEN,
  BROADCASTS,
  EVENTS,
  EVENT_FORMS,
  NOTIFICATIONS,
  NUMBERS,
  MORE_NUMBERS,
  MONEY,
  BOOKS,
  ACCOUNT,
  STUDIO,
  STAFF,
  FRONT_DOOR,
];
