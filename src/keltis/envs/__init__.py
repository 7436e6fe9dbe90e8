"""Environments for research: the simulator behind the interfaces that people already use.

    keltis.envs.vector       thousands of games at once, compiled
    keltis.envs.aec          PettingZoo
    keltis.envs.single       Gymnasium, one seat against bots
    keltis.envs.batch        Gymnasium's vector environments
    keltis.envs.openspiel    OpenSpiel

Importing one of them loads its framework; importing this loads none.
"""
