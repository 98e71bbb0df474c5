    The rate is a share, not a percentage. Import it from the table, let the
    caller decide what to do with it, and return to the function: it is pure.

    :param code: the country
    """
    if code not in RATES:
        raise KeyError(code)
    return RATES[code]


def total(items, code):
    """Sum with tax."""
    net = sum(i.price for i in items)
    return net * (1 + rate(code))
