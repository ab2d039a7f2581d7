"""The random numbers and the deal once more, in whole numbers of Python, from their description."""

from __future__ import annotations

DEALER_STREAM, STRATEGY_STREAM = 1 << 24, 2 << 24
LOW = 0xFFFFFFFF


def philox(counter: tuple[int, int, int, int], key: tuple[int, int]) -> tuple[int, int, int, int]:
    """Philox4x32 with ten rounds, from 32-bit words to 32-bit words."""
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for _ in range(10):
        high0, low0 = divmod(0xD2511F53 * c0, 1 << 32)
        high1, low1 = divmod(0xCD9E8D57 * c2, 1 << 32)
        c0, c1, c2, c3 = high1 ^ c1 ^ k0, low1, high0 ^ c3 ^ k1, low0
        k0, k1 = (k0 + 0x9E3779B9) & LOW, (k1 + 0xBB67AE85) & LOW
    return c0, c1, c2, c3


def words(key: int, game: int, deal: int, item: int) -> tuple[int, int, int, int]:
    return philox((game & LOW, game >> 32, deal, item), (key & LOW, key >> 32))


def chosen(word: int, bits: int, choices: int) -> int | None:
    """Turn a word into a number below `choices`, or refuse it."""
    high, low = divmod(word * choices, 1 << bits)
    return None if low < (1 << bits) % choices else high


def digit(key: int, game: int, deal: int, place: int) -> tuple[int, int]:
    """The Lehmer digit of a deck place, and how many words were refused for it."""
    attempt = 0
    while True:
        block = words(key, game, deal, attempt << 8 | place // 8)
        eight = [half for word in block for half in (word & 0xFFFF, word >> 16)]
        number = chosen(eight[place % 8], 16, 52 - place)
        if number is not None:
            return number, attempt
        attempt += 1


def deck(key: int, game: int, deal: int) -> list[int]:
    """All 52 cards: each the so-manieth of those that are left."""
    left = list(range(52))
    return [left.pop(digit(key, game, deal, place)[0]) for place in range(52)]


def refusals(key: int, game: int, deal: int) -> list[int]:
    """How many words were refused at each place of a deck."""
    return [digit(key, game, deal, place)[1] for place in range(52)]


def first_dealer(key: int, game: int, n: int) -> tuple[int, int]:
    """The first dealer's seat, and how many words were refused for it."""
    attempt = 0
    while True:
        seat = chosen(words(key, game, 0, DEALER_STREAM | attempt << 8)[0], 32, n)
        if seat is not None:
            return seat, attempt
        attempt += 1


def uniforms(key: int, game: int, deal: int, call: int) -> tuple[float, float]:
    w0, w1, w2, w3 = words(key, game, deal, STRATEGY_STREAM | call)
    return (w1 << 32 | w0) // 2**11 / 2**53, (w3 << 32 | w2) // 2**11 / 2**53
