"""A club's broker: Mosquitto's files for a club, and a broker that the hub brings along where none is there.

| to | there is |
|---|---|
| set up the club's own Mosquitto | `write_files`, which `RunningMosquitto` uses as well |
| run one for as long as the hub runs | `BrokerKeeper` |
"""

from controller.club.broker.files import Account, Listener, write_files
from controller.club.broker.keeper import BrokerKeeper
from controller.club.broker.running import INSTALL, mosquitto_found

__all__ = [
    "INSTALL",
    "Account",
    "BrokerKeeper",
    "Listener",
    "mosquitto_found",
    "write_files",
]
