import {
  ArrowLeftRight,
  BarChart3,
  Bell,
  CalendarDays,
  House,
  MessageSquare,
  Plus,
  Repeat,
  Search,
  Settings,
  ShieldCheck,
  ShoppingBag,
  User,
} from "lucide-react";
import type { LucideIcon } from "lucide-react";
import { isHiddenPath } from "#app/lib/uncompleted-features.ts";
import type { ShownFeatures } from "#app/lib/uncompleted-features.ts";

export type NavigationItem = { to: string; label: string; Icon: LucideIcon; end?: boolean };

/** Permissions of the person, for the navigation of the page they act for or their own. */
type Who = ShownFeatures & {
  isCreator: boolean;
  isModerator: boolean;
  publishes: boolean;
  readsMessages: boolean;
};

const HOME: NavigationItem = { to: "/", label: "Início", Icon: House, end: true };
const EXPLORE: NavigationItem = { to: "/explore", label: "Explorar", Icon: Search };
const MESSAGES: NavigationItem = { to: "/messages", label: "Mensagens", Icon: MessageSquare };
const EVENTS: NavigationItem = { to: "/events", label: "Eventos", Icon: CalendarDays };
const NUMBERS: NavigationItem = { to: "/analytics", label: "Números", Icon: BarChart3 };
const PURCHASES: NavigationItem = {
  to: "/settings/purchases",
  label: "Compras",
  Icon: ShoppingBag,
};
const SUBSCRIPTIONS: NavigationItem = {
  to: "/settings/subscriptions",
  label: "Assinaturas",
  Icon: Repeat,
};

/** Destinations of the desktop rail, from top to bottom. */
export function railDestinations({
  isCreator,
  isModerator,
  readsMessages,
  uncompletedFeatures,
}: Who): NavigationItem[] {
  const destinations = [
    HOME,
    EXPLORE,
    { to: "/notifications", label: "Notificações", Icon: Bell },
    ...(readsMessages ? [MESSAGES] : []),
    EVENTS,
    isCreator ? NUMBERS : SUBSCRIPTIONS,
    { to: "/settings", label: "Ajustes", Icon: Settings, end: !isCreator },
    ...(isModerator ? [{ to: "/admin", label: "Moderação", Icon: ShieldCheck }] : []),
  ];
  return destinations.filter(({ to }) => !isHiddenPath(to, { uncompletedFeatures }));
}

/** Destinations of the phone bar, always five. */
export function barDestinations({
  isCreator,
  publishes,
  readsMessages,
  uncompletedFeatures,
}: Omit<Who, "isModerator">): NavigationItem[] {
  const create = publishes ? { to: "/post/create", label: "Criar", Icon: Plus } : NUMBERS;
  const third = isCreator ? create : SUBSCRIPTIONS;
  const fourth = [
    readsMessages ? MESSAGES : EVENTS,
    isCreator && third !== NUMBERS ? NUMBERS : PURCHASES,
  ].find(({ to }) => !isHiddenPath(to, { uncompletedFeatures }));
  return [
    HOME,
    EXPLORE,
    third,
    ...(fourth ? [fourth] : []),
    { to: "/me", label: "Perfil", Icon: User },
  ];
}

/**
 * The main button of the rail: what this person may do where they are. Staff without a page see
 * what waits, members of a team choose its page, and only who has none of it is offered their own.
 */
export function mainAction({
  isCreator,
  publishes,
  isModerator,
  hasTeams,
}: Omit<Who, "readsMessages"> & { hasTeams: boolean }): NavigationItem {
  if (isCreator)
    return publishes
      ? { to: "/post/create", label: "Publicar", Icon: Plus }
      : { ...NUMBERS, label: "Ver os números" };
  if (isModerator) return { to: "/admin", label: "Ver o que espera", Icon: ShieldCheck };
  if (hasTeams)
    return { to: "/settings/teams/acting", label: "Cuidar de uma página", Icon: ArrowLeftRight };
  return { to: "/space/create", label: "Abrir minha página", Icon: Plus };
}
