"""Operations: logs, metrics, health and the checks of `doctor`."""
